// Types of vantage.min.js: index.js, its worker and all that they share in one file.
export * from './index.js';
