/** Something that can't be imported, in one sentence for the person who tried. */
export class Refused extends Error {
  override name = 'Refused'
}
