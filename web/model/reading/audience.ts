import { pageTexts } from '../../texts/page-texts.ts'

/** "40 people", or "the members of the channel" where they are not known. */
export const audienceOf = ({ size }: ReadonlySet<number>): string =>
  size === 0 ? pageTexts.people.members : pageTexts.people.count(size)
