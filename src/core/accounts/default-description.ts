/** The description of an organization that nobody has described yet. */
export const defaultDescription = 'An organization on chat-server.'
