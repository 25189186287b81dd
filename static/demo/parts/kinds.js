// What a query asks for, by the kind of its perspective, in words.

/** @import { Kind } from '../../lib/index.js' */

/** @type {{readonly [kind in Kind]: string}} */
export const ASKS = {
  stance: 'the query asks for a side',
  leaning: 'the query asks for a political side',
  time: 'the query asks for a period',
  topic: 'the query asks for a subtopic',
  place: 'the query asks for a place',
  analogy: 'the query asks for something alike',
  converse: 'the query asks for what its text supports or opposes',
  evidence: 'the query asks for a sort of evidence',
  audience: 'the query asks for somebody’s view',
  free: 'the query asks for a perspective in words of its own',
};
