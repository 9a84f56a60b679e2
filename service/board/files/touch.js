// What differs on a device without a mouse.

/** Whether the page is used with a finger. */
export const isTouched = () => matchMedia("(pointer: coarse)").matches;
