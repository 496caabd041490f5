import { pageTexts } from '../../../texts/page-texts.ts'

const kinds = pageTexts.profileFields.kinds

/** The names of the kinds of profile fields, by their IDs. */
const names: Readonly<Record<number, string>> = {
  1: kinds.text,
  2: kinds.longText,
  3: kinds.options,
  4: kinds.date,
  5: kinds.link,
  6: kinds.people,
  7: kinds.account,
  8: kinds.pronouns,
}

/** Returns the name of a kind of profile fields. A newer server may have others. */
export const kindName = ({ id, name }: { id: number; name: string }): string => names[id] ?? name
