/** A field with a list of choices below it, which follows what is typed. The focus stays in the field. */
export interface Choices<T> {
  /** The id of the list. */
  id: string
  items: readonly T[]
  /** The place of the choice that Enter takes; -1 for none. */
  active: { value: number }
  choose(item: T): void
}

/** What the field tells screen readers about its list. */
export const listAttributes = ({ id, items, active }: Choices<unknown>) => ({
  'aria-autocomplete': 'list' as const,
  'aria-controls': items.length > 0 ? id : undefined,
  'aria-activedescendant': items[active.value] === undefined ? undefined : `${id}-${active.value}`,
})

/** The attributes of a field of one line, beside its role and `aria-expanded`. */
export const fieldAttributes = (choices: Choices<unknown>) => ({
  ...listAttributes(choices),
  'aria-controls': choices.id,
  autocomplete: 'off',
})
