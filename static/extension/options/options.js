// The options page.

import { readSettings } from '../settings.js';
import { buildEditor } from './editor.js';
import { showEncoder } from './encoder.js';
import { attempt, translate } from './page.js';
import { showRules } from './rules.js';
import { showSites } from './sites.js';

translate();
buildEditor();
showSites();
// Settings that could not be read must not be replaced by others.
const reading = readSettings();
if (await attempt('rules-status', () => reading, 'optionsNotRead')) {
  const settings = await reading;
  showEncoder(settings.encoder);
  showRules(settings);
}
