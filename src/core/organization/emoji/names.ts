import * as v from 'valibot'
import { fold } from '../../../storage/index.ts'
import { maxCharacters, text } from '../../kernel/fields.ts'

const MAX_EMOJI_NAME_LENGTH = 60

/**
 * An emoji's name as it is stored and compared: upper and lower case are the same, and so are a space and an
 * underscore (specification, Upload custom emoji).
 */
export const emojiKey = (name: string): string => fold(name).replaceAll('_', ' ').trim().replaceAll(' ', '_')

/** The name of a new custom emoji: letters, numbers, dashes and spaces of any script. Comes out as its key. */
export const newEmojiName = v.pipe(
  text,
  v.transform(emojiKey),
  v.nonEmpty('Emoji name must not be empty'),
  // Marks are parts of letters in many scripts.
  v.regex(/^[\p{L}\p{M}\p{N}_-]*$/u, 'Invalid characters in emoji name'),
  v.regex(/[\p{L}\p{N}]/u, 'Emoji name must contain at least one letter or number'),
  maxCharacters(MAX_EMOJI_NAME_LENGTH, `Emoji name is too long (limit: ${MAX_EMOJI_NAME_LENGTH} characters)`),
)
