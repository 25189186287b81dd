// A page's own worker: runs the library's, and can be broken.

import '/lib/worker.js';

addEventListener('message', ({ data }) => {
  if (data === 'break') {
    setTimeout(() => {
      throw new Error('the test breaks the worker');
    });
  }
});
