// Package sides measures whether a model tells texts that are for a root from those
// that are against it, on data sets of people's judgements: Perspectrum, Climate-FEVER,
// HealthVer and SciFact.
//
// The model gives a text two vectors, topic and angle (see internal/encoder/packmodel). Let d
// be the difference of the angles of two queries, one for a root r and one against it. The
// score of a text with the angle c is d·c. If it is above 0, the text is for r.
//
// The readers expect untrusted files. Their errors name the file, the line or entry, and the
// fault.
package sides
