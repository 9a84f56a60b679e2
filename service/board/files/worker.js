// The service worker: keeps the files of this release, so that the board starts at once. It never keeps an answer of the API.

const RELEASE = "{static}";
const FILES = "{files}".split(" ");
