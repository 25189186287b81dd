// Bounds of the user's rules, in files and in storage.

/** Most rules. */
export const MAX_RULES = 200;

/** Most characters of a rule as JSON. */
export const MAX_RULE = 10_000;
