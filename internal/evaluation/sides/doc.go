// Package sides measures whether a model tells texts that are for a root from those
// that are against it, on data sets of people's judgements: Perspectrum, Climate-FEVER,
// HealthVer and SciFact.
//
// The model gives a text two vectors, topic and angle (see internal/encoder/packmodel).
// For a root r, the difference d of the angles of two queries, for and against r, gives
// every text with the angle c the score d·c: above 0, the text is for r.
//
// Readers take untrusted files. Their errors name the file, the line or entry, and what
// is wrong there.
package sides
