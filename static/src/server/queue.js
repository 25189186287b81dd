// The calls of a ServerEncoder that have no answer yet, and their texts that wait to be sent.

import { UnavailableError } from '../errors.js';

/**
 * @import { ServerModel } from '../../lib/server.d.ts'
 * @import { Exchange, Piece } from './exchange.js'
 * @import { Job } from './job.js'
 */

export class Queue {
  /** @type {Piece[]} first come, first served */
  #pieces = [];
  /** @type {Set<Job>} */
  #jobs = new Set();

  /** @param {Job} job */
  add(job) {
    this.#jobs.add(job);
    this.#pieces.push({ job, places: [...job.texts.keys()] });
  }

  /**
   * Puts texts that have to be sent again before all others.
   * @param {Piece} piece
   */
  putBack(piece) {
    if (piece.places.length > 0 && !piece.job.settled) this.#pieces.unshift(piece);
  }

  /** @param {Job} job that has ended */
  remove(job) {
    this.#jobs.delete(job);
    this.#pieces = this.#pieces.filter((piece) => piece.job !== job);
  }

  /**
   * @param {Error} error
   * @param {(job: Job) => boolean} [which] jobs fail; left out: all
   */
  fail(error, which = () => true) {
    for (const job of this.#jobs) if (which(job)) job.fail(error);
  }

  /**
   * Sends waiting texts while the session has room.
   * @param {() => {exchange: Exchange, model: ServerModel|null}|null} session returns the session that is open, or
   *   null. It is called again for each piece
   */
  send(session) {
    for (let open = session(); open && this.#pieces.length > 0; open = session()) {
      const piece = this.#pieces[0];
      const { job } = piece;
      try {
        job.model ??= open.model;
        if (job.model !== open.model) throw new UnavailableError('the encode server has another model now');
        const rest = open.exchange.send(piece);
        if (rest === null) {
          this.#pieces.shift();
        } else {
          this.#pieces[0] = rest;
          if (rest.places.length === piece.places.length) return; // no room until some texts are answered
        }
      } catch (error) {
        job.fail(error); // which removes it
      }
    }
  }
}
