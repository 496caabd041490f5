import { language } from './language.ts'

let collator: Intl.Collator | undefined

/** Compares names by the rules of the page's language, and numbers in them by value: "team 9" comes before "team 10". */
export function compareNames(a: string, b: string): number {
  // Creating a collator is slow.
  collator ??= new Intl.Collator(language, { numeric: true })
  return collator.compare(a, b)
}
