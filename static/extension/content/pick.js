// The reader points at a result: by mouse, finger or keys. A transparent layer over the page, the shield, receives
// these, so that no link is followed meanwhile.

import { above, bodyOf, focus, focused, insert, isConnected, remove, rootOf, shadowOf, tagOf } from './dom.js';
import css from './pick.css';
import { hosted, make } from './shadow.js';
import { one, text as textOf, tree } from '../rules/dom.js';
import { text } from '../text.js';

/** @type {(() => void) | null} Ends the last picking. */
let end = null;

/**
 * @param {Element | null} [from] gets the focus afterwards; otherwise what has it now
 * @returns {Promise<Element | null>} null if the reader has changed their mind
 */
export function pick(from) {
  end?.();
  return new Promise((resolve) => {
    const frame = make('div', { class: 'frame', hidden: true });
    const named = make('span', { class: 'named', 'aria-live': 'polite' });
    const hint = make('p', { class: 'hint' }, text('barPickHint'), named);
    const shield = make('div', {
      class: 'shield',
      tabindex: '0',
      role: 'application',
      'aria-label': text('barPickHint'),
    });
    const { host } = hosted('div', css, shield, frame, hint);
    const back = from ?? focused();
    /** @type {Element | null} */
    let chosen = null;

    const draw = () => {
      const box = chosen && isConnected(chosen) ? Element.prototype.getBoundingClientRect.call(chosen) : null;
      frame.hidden = !box;
      if (!box) return;
      Object.assign(frame.style, {
        translate: `${box.x}px ${box.y}px`,
        inlineSize: `${box.width}px`,
        blockSize: `${box.height}px`,
      });
    };
    /** @param {Element | null | undefined} element */
    const choose = (element) => {
      if (!element || element === chosen || element === host || element === rootOf(document)) return;
      chosen = element;
      named.textContent = textOf(element, 80) || tagOf(element);
      draw();
    };
    /** @param {number} x @param {number} y */
    const at = (x, y) => {
      let element = Document.prototype.elementsFromPoint.call(document, x, y).find((each) => each !== host);
      for (let root = element && shadowOf(element); root; root = element && shadowOf(element)) {
        const shadow = root;
        const inner = ShadowRoot.prototype.elementsFromPoint.call(shadow, x, y).find((each) => tree(each) === shadow);
        if (!inner) break;
        element = inner;
      }
      return element;
    };
    /** @param {Element | null} taken */
    const finish = (taken) => {
      end = null;
      stop.abort();
      remove(host);
      if (back instanceof HTMLElement && isConnected(back)) focus(back);
      resolve(taken);
    };
    const stop = new AbortController();
    const { signal } = stop;
    end = () => finish(null);

    shield.addEventListener('pointermove', (event) => choose(at(event.clientX, event.clientY)));
    shield.addEventListener('click', (event) => {
      event.preventDefault();
      choose(at(event.clientX, event.clientY));
      finish(chosen);
    });
    shield.addEventListener('keydown', (event) => {
      const next = stepFrom(chosen, event.key);
      if (event.key === 'Escape') finish(null);
      else if (event.key === 'Enter' && chosen) finish(chosen);
      else if (next) {
        choose(next);
        Element.prototype.scrollIntoView.call(next, { block: 'nearest' });
        draw();
      } else if (event.key !== 'Tab') return; // Tab would move the focus to where Escape is not heard
      event.preventDefault();
    });
    addEventListener('scroll', draw, { capture: true, passive: true, signal });
    addEventListener('resize', draw, { signal });
    insert(rootOf(document), host, null);
    shield.focus({ preventScroll: true });
    choose(at(innerWidth / 2, innerHeight / 2) ?? bodyOf(document));
  });
}

/** @param {ShadowRoot | null} root */
const firstIn = (root) => root && one(root, ':not(style, link, script)');

/**
 * Where an arrow key leads: up to the parent, down to the first child, and to the siblings.
 * @param {Element | null} element
 * @param {string} key
 * @returns {Element | null}
 */
function stepFrom(element, key) {
  if (!element) return null;
  const { prototype } = Element;
  const get = (/** @type {'firstElementChild' | 'nextElementSibling' | 'previousElementSibling'} */ name) =>
    Object.getOwnPropertyDescriptor(prototype, name)?.get?.call(element) ?? null;
  switch (key) {
    case 'ArrowUp': {
      const parent = above(element);
      return parent !== rootOf(document) ? parent : null;
    }
    case 'ArrowDown':
      return get('firstElementChild') ?? firstIn(shadowOf(element));
    case 'ArrowRight':
      return get('nextElementSibling');
    case 'ArrowLeft':
      return get('previousElementSibling');
    default:
      return null;
  }
}
