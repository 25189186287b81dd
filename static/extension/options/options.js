// The options page.

import { readSettings } from '../settings.js';
import { buildEditor } from './editor.js';
import { showEncoder } from './encoder.js';
import { translate } from './page.js';
import { showRules } from './rules.js';
import { showSites } from './sites.js';

translate();
buildEditor();
const settings = await readSettings();
showEncoder(settings.encoder);
showSites();
showRules(settings);
