// Shows how the commands of a guide reach this server. The page itself is the same on every server, because caches keep
// it. Only the browser knows the address that the visitor uses.
"use strict";

const note = document.querySelector(".here");
note.querySelector("code").textContent = `API=${location.origin}/v1`;
note.hidden = false;
