/**
 * The texts of later parts in the reader's language, once they are loaded. Without them, those parts are English. And
 * the locale of numbers in all texts.
 */
export const loaded: { pages?: object; pieces?: object; locale?: () => string } = {}
