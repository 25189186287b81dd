// What errors say of a collection's documents.

/** @param {number} documents how many it was opened with */
export const hasDocuments = (documents) =>
  documents > 0 ? `the collection has documents 0 to ${documents - 1}` : 'the collection has no documents of its own';
