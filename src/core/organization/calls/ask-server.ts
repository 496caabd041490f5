import type { PostAnswer, PostRequest } from '../../../network/post.ts'
import { postOf } from '../../bots/outgoing/post-of.ts'
import type { Chat } from '../../kernel/chat.ts'
import { badRequest } from '../../kernel/errors.ts'
import type { CallServer } from './servers.ts'

/** Asks a server for calls. Throws a sentence for the person who wants the call if it can't be reached or refuses. */
export async function askCallServer(
  chat: Chat,
  { title, address }: CallServer,
  { path, ...request }: Omit<PostRequest, 'url' | 'signal'> & { path: string },
): Promise<PostAnswer> {
  const answer = await postOf(chat)({ ...request, url: address + path, signal: new AbortController().signal }).catch(
    (error) => {
      chat.options.logger.error({ err: error }, `asking ${title} for a call failed`)
      throw badRequest(`Error connecting to the ${title} server.`)
    },
  )
  if (answer.status === 401 || answer.status === 403) throw badRequest(`Error authenticating to the ${title} server.`)
  if (answer.status >= 300) throw unexpected(title)
  return answer
}

export const unexpected = (title: string) => badRequest(`The ${title} server returned an unexpected error.`)
