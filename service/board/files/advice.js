// What to do about problems, in the words of the board. What shows problems imports this.

import { advice } from "./app.js";
import { t } from "./texts.screens.js";

Object.assign(advice, t.advice);
