// The locations of the documents that queries for a location found: Figures 3, 5
// and 6 of Beyond Relevance, from the report that `vantage eval pir --json`
// writes or that this page made.

import { byId, el } from '../parts/dom.js';
import { csv, save } from './export.js';
import { showHeatMap } from './heatmap.js';
import { standalone } from './svg.js';

/**
 * @import { HeatMap, Row } from './heatmap.js'
 * @typedef {Row & {queries: number|string}} Place what queries for it found
 * @typedef {Omit<HeatMap, 'rows'> & {name: string, rows: Place[]}} LocationMap
 */

/** Most locations in a readable picture. */
const MOST = 100;

/** The row of queries without a location. */
const ROOT = 'root queries';

/** @param {LocationMap[]} maps of mapsOf */
export function showLocations(maps) {
  const which = el(
    'select',
    { 'aria-label': 'Task and method' },
    maps.map(({ name }) => el('option', {}, name)),
  );
  const frame = el('div', { className: 'scroll heat', tabIndex: 0, role: 'region', 'aria-label': 'Heat map' });
  const rows = el('tbody');
  const map = () => maps[which.selectedIndex];
  /**
   * @param {string} text
   * @param {() => void} act
   */
  const button = (text, act) => {
    const made = el('button', { type: 'button', className: 'quiet' }, text);
    made.addEventListener('click', act);
    return made;
  };
  const draw = () => {
    showHeatMap(frame, map());
    rows.replaceChildren(
      ...map().rows.map((row) =>
        el(
          'tr',
          {},
          el('th', { scope: 'row' }, row.name),
          [
            row.queries,
            row.documents,
            [...row.shares].map(([from, share]) => `${from} ${(100 * share).toFixed(1)}`).join(', '),
          ].map((text) => el('td', {}, String(text))),
        ),
      ),
    );
  };
  which.addEventListener('change', draw);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => frame.isConnected && draw());
  byId('locations').replaceChildren(
    el('h2', { id: 'locations-title' }, 'Locations'),
    el(
      'p',
      { className: 'take' },
      which,
      button('Download CSV', () =>
        save(
          'locations.csv',
          'text/csv',
          csv([
            ['asked_for', 'queries', 'documents', 'from', 'portion'],
            ...map().rows.flatMap((row) =>
              (row.shares.size ? [...row.shares] : [['', '']]).map((pair) => [
                row.name,
                row.queries,
                row.documents,
                ...pair,
              ]),
            ),
          ]),
        ),
      ),
      button('Download SVG', () =>
        save('locations.svg', 'image/svg+xml', standalone(/** @type {Element} */ (frame.firstChild))),
      ),
    ),
    frame,
    el(
      'details',
      { className: 'per-query' },
      el('summary', {}, 'As a table'),
      el(
        'div',
        { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Locations as a table' },
        el(
          'table',
          {},
          el(
            'thead',
            {},
            el(
              'tr',
              {},
              ['Asked for', 'Queries', 'Documents', 'Found, %'].map((text) => el('th', { scope: 'col' }, text)),
            ),
          ),
          rows,
        ),
      ),
    ),
  );
  draw();
  byId('locations').hidden = false;
}

/**
 * The maps of a report, one for each task and method that names a location.
 * @param {string} name of the file, for messages
 * @param {any} report any: parsed JSON; figures are checked here
 * @returns {LocationMap[]}
 */
export function mapsOf(name, report) {
  const fail = (/** @type {string} */ why) => {
    throw new Error(`${name}: ${why}.`);
  };
  /**
   * @param {any} object parsed JSON
   * @returns {[string, any][]}
   */
  const members = (object) => Object.entries(object ?? {});
  return members(report?.tasks).flatMap(([task, methods]) =>
    members(methods)
      .filter(([, result]) => result?.locations)
      .map(
        ([
          method,
          {
            n,
            retriever,
            locations: { k, documents, desired, root },
          },
        ]) => {
          const found = members(root);
          const all = found.reduce((sum, [, count]) => sum + count, 0);
          const rows = members(desired)
            .map(([location, of]) => ({
              name: location,
              queries: of?.n,
              documents: of?.documents,
              shares: new Map(members(of?.portions)),
            }))
            .sort(byName);
          rows.push({
            name: ROOT,
            queries: '',
            documents: all,
            shares: new Map(found.map(([location, count]) => [location, count / all])),
          });
          const columns = [
            ...new Set(rows.flatMap(({ name, shares }) => [...(name === ROOT ? [] : [name]), ...shares.keys()])),
          ].sort();
          const numbers = [n, k, documents, ...rows.flatMap((row) => [row.documents, ...row.shares.values()])];
          if (!numbers.every((value) => value >= 0 && Number.isFinite(value))) {
            fail(`locations of ${task}, ${method}, have something other than numbers`);
          }
          if (columns.length > MOST) fail(`${task} has ${columns.length} locations, at most ${MOST} are drawn`);
          const by = (retriever ?? method) === method ? method : `${retriever}, ${method}`;
          return {
            name: `${task}: ${by}`,
            title: [
              `${task} (${report.data ?? name}), N = ${n} queries`,
              `Portion (%) of the top ${k} by ${by}`,
              `${documents} documents have a known location`,
            ],
            x: 'Location of the documents',
            y: 'Requested (documents)',
            columns,
            rows,
          };
        },
      )
      .filter(({ columns }) => columns.length > 0),
  );
}

/**
 * @param {Row} a
 * @param {Row} b
 */
const byName = (a, b) => (a.name < b.name ? -1 : 1);
