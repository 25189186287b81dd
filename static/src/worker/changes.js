// Changes of the rows that several engines hold: each goes to the engines that own the rows.

import { LostInstanceError } from '../errors.js';
import { settled } from './settled.js';

/**
 * @import { Slant } from '../collection/angles.js'
 * @import { ColumnValues } from '../collection/fields.js'
 * @import { Fleet } from './fleet.js'
 * @import { Member } from './member.js'
 */

/**
 * Adds rows, all or none.
 * @param {Fleet} fleet
 * @param {number} first number of the first new row, after all earlier ones
 * @param {Float32Array[]} vectors
 * @param {ColumnValues[]} columns one value for each row
 * @param {(Float32Array|null)[]} angles one for each row, if it is known
 */
export async function addRows(fleet, first, vectors, columns, angles) {
  const runs = fleet.shares.runs(first, vectors.length);
  const fresh = fleet.members.length > 1 ? columns.filter(({ column }) => column >= fleet.columns) : [];
  await fleet.changing(
    fresh.length > 0 ? fleet.members : runs.map(({ worker }) => fleet.members[worker]),
    async (ask) => {
      const added = await Promise.allSettled(
        runs.map(({ worker, from, end }) =>
          ask(fleet.members[worker])((engine) =>
            engine.call('add', [
              from,
              vectors.slice(from - first, end - first),
              columns.map(({ column, values }) => ({ column, values: values.slice(from - first, end - first) })),
              angles.slice(from - first, end - first),
            ]),
          ),
        ),
      );
      /** @type {PromiseSettledResult<unknown>|undefined} */
      let fault = added.find(({ status }) => status === 'rejected');
      if (!fault && fresh.length > 0) {
        const told = await Promise.allSettled(
          fleet.members.map((member) => ask(member)((engine) => engine.call('declare', [fresh]))),
        );
        fault = told.find(({ status }) => status === 'rejected');
      }
      if (!fault) return;
      await Promise.allSettled(
        runs
          .filter((_, i) => added[i].status === 'fulfilled')
          .map(({ worker, from, end }) =>
            ask(fleet.members[worker])((engine) =>
              engine.call('remove', [Array.from({ length: end - from }, (_, i) => from + i)]),
            ),
          ),
      );
      throw /** @type {PromiseRejectedResult} */ (fault).reason;
    },
  );
  for (const { column } of fresh) fleet.columns = Math.max(fleet.columns, column + 1);
}

/**
 * Gives added rows their angles.
 * @param {Fleet} fleet
 * @param {Slant[]} slants
 * @param {(slant: Slant) => void} given called for each that an engine has taken, even if another fails
 */
export async function addAngles(fleet, slants, given) {
  const owner = (/** @type {Slant} */ { row }) => fleet.members[fleet.shares.ownerOf(row)];
  const members = [...new Set(slants.map(owner))];
  await fleet.changing(members, async (ask) => {
    const each = members.map(async (member) => {
      const own = slants.filter((slant) => owner(slant) === member);
      await ask(member)((engine) => engine.call('addAngles', [own]));
      own.forEach(given);
    });
    await settled(each);
  });
}

/**
 * Excludes rows from every later answer, including rows that have not arrived
 * yet.
 * @param {Fleet} fleet
 * @param {Iterable<number>} rows
 */
export async function removeRows(fleet, rows) {
  /** @type {Map<Member, number[]>} */
  const parts = new Map();
  for (const row of rows) {
    const member = fleet.members[fleet.shares.ownerOf(row)];
    const own = parts.get(member);
    if (own) own.push(row);
    else parts.set(member, [row]);
  }
  await fleet.changing([...parts.keys()], async (ask) => {
    const removed = await Promise.allSettled(
      [...parts].map(([member, own]) => ask(member)((engine) => engine.call('remove', [own]))),
    );
    // If an engine is lost meanwhile, its rows are removed too, because it is
    // refilled without them.
    const some = removed.some(({ status }) => status === 'fulfilled');
    const fault = removed.find(
      (one) => one.status === 'rejected' && !(some && one.reason instanceof LostInstanceError),
    );
    if (fault?.status === 'rejected') throw fault.reason;
  });
}
