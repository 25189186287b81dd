// A fault in a file, with its line and remedy, much as the command words it.

export class Fault extends Error {
  name = 'FileError';

  /**
   * @param {string} file its name
   * @param {number} line from 1; 0: the file as a whole
   * @param {string} problem
   * @param {string} remedy
   */
  constructor(file, line, problem, remedy) {
    super(`${file}${line > 0 ? `, line ${line}` : ''}: ${problem}: ${remedy}`);
    this.line = line;
  }
}
