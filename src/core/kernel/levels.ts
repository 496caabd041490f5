import type { Chat } from './chat.ts'

/**
 * Shapes that change with the feature level that the server announces, by the level at which they do. Clients decide by
 * the number what they read, so a new shape and the number change together: raising FEATURE_LEVEL is all there is to do.
 */
const changes = {
  /** `is_moderator` is also true for administrators and owners. */
  moderatorsAndAbove: 380,
  /** Archives are of a kind with a name. */
  exportKindsByName: 449,
} as const

/** Whether clients of this server know the change. */
export const announces = ({ options }: Chat, change: keyof typeof changes): boolean =>
  options.featureLevel >= changes[change]
