import { text } from '../text.js';

document.title = text('extensionName');
