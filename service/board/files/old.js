// Only browsers that know no modules run this: the frame says at once that they cannot show the board.

/** @type {HTMLElement} */ (document.getElementById("late")).className = "";
