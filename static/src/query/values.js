// What pages give in a query or a document: texts, and vectors of numbers.

export function isText(value) {
  return typeof value === 'string';
}

export function isVector(value) {
  return (
    (ArrayBuffer.isView(value) && !(value instanceof DataView)) ||
    (Array.isArray(value) && typeof value[0] === 'number')
  );
}
