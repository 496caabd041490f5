/** A phrase that the project doesn't use in prose. */
export interface Phrase {
  readonly pattern: RegExp
  readonly advice: string
}

/** One list for documents, comments, strings, test names and commit subjects: the habits of our prose that readers stumble over. */
export const phrases: readonly Phrase[] = [
  // Clauses where English has a noun, and people as relative clauses.
  { pattern: /\bwho (?:is|are) in (?:it|them)\b/i, advice: 'members, subscribers' },
  {
    pattern: /(?:^|[.:;!?] )Who(?:ever)? (?!.*\?$|can )\w+/,
    advice: 'give the clause a noun: "People who …"',
  },
  { pattern: /\b(?:somebody|someone|everybody|nobody) who\b/i, advice: 'people who, nobody can' },
  { pattern: /\b(?:to|for|by|of|from|with|than) (?:whom|who)\b/i, advice: 'give the clause a noun' },
  {
    pattern: /\bwhat (?:was|is|has been) (?:lost|received|seen|written|read|kept|changed|asked for)\b/i,
    advice: 'name the thing',
  },
  { pattern: /\bwhat (?:comes|came|goes|went|stands|stays)\b/i, advice: 'name the thing' },
  // Adverbs and verbs that stand for others.
  { pattern: /(?<!\ball\b.*)\bat once\b(?! to)/i, advice: 'immediately, or: at the same time' },
  { pattern: /\bfrom now on\b/i, advice: 'leave it out' },
  {
    pattern: /\b(?:happens?|goes|go|comes?|follows?|moves?|ends?|disappears?) by (?:itself|themselves)\b/i,
    advice: 'automatically',
  },
  { pattern: /\bmeanwhile\b/i, advice: 'until then, while …' },
  { pattern: /\b(?:goes|go|went|going) on\b/i, advice: 'continues, resumes' },
  { pattern: /\bas (?:it|they) (?:is|are|was|were)(?=[.,;:)]|$)/i, advice: 'unchanged' },
  { pattern: /\b(?:is|are|was|were|be) refused\b/i, advice: 'is rejected, returns 403' },
  { pattern: /\bbrings? along\b/i, advice: 'includes' },
  { pattern: /\bnot (?:any more|any longer)\b|\bdo(?:es)? not \w+ any more\b/i, advice: 'no longer' },
  { pattern: /\bnothing (?:is|was) (?:lost|known|kept)\b.*\bof\b/i, advice: 'say what happens' },
  // Pronouns without a referent.
  { pattern: /\bof (?:those|which)\b(?! addresses)/i, advice: 'repeat the noun' },
  { pattern: /\b(?:that|those) of (?!the same)/i, advice: 'repeat the noun' },
  {
    pattern:
      /(?<!that |this |which |the |each |first |another |single |same |new |last |no |any |every |newest |next )\bone (?:can|may|has|is|sees|reads|looks)\b/i,
    advice: 'you, or the noun',
  },
  // Words of the glossary.
  { pattern: /\be-mail/i, advice: 'email' },
  { pattern: /\bcolour/i, advice: 'color' },
  { pattern: /\b(?:cancelled|serialised|organisation|initialise|recognise)/i, advice: 'American spelling' },
  { pattern: /\bover a reload\b/i, advice: 'across reloads' },
  { pattern: /\b(?:lost line|the line is back)\b/i, advice: 'offline, back online' },
  { pattern: /\bpictures drawn from initials\b/i, advice: 'initials avatars' },
  { pattern: /\bperson card\b/i, advice: 'profile card' },
]

/** Words in a sentence and in a heading, at most. */
export const MOST_WORDS = 32
export const MOST_HEADING_WORDS = 12
