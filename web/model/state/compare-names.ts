let collator: Intl.Collator | undefined

/** Orders names as the reader's language does, with the numbers in them by their value: "team 9" is before "team 10". */
export function compareNames(a: string, b: string): number {
  // Made when it is first needed, which takes a while.
  collator ??= new Intl.Collator(undefined, { numeric: true })
  return collator.compare(a, b)
}
