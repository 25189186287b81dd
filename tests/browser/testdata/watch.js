// Records the problems of a page, for a test to read.

window.problems = [];
for (const type of ['error', 'unhandledrejection', 'securitypolicyviolation']) {
  addEventListener(type, (event) => {
    window.problems.push(`${type}: ${event.message ?? event.reason ?? event.violatedDirective ?? event.target.src ?? event.target.href}`);
  }, true);
}
const { error } = console;
console.error = (...args) => {
  window.problems.push(`console: ${args.join(' ')}`);
  error(...args);
};
