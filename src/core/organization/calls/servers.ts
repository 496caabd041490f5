import type { CallServers, Chat } from '../../kernel/chat.ts'
import { badRequest } from '../../kernel/errors.ts'
import { videoChatProviders } from '../../settings/choices.ts'

export type CallProvider = keyof CallServers

const titles: Readonly<Record<CallProvider, string>> = {
  bigBlueButton: 'BigBlueButton',
  constructorGroups: 'Constructor Groups',
  nextcloudTalk: 'Nextcloud Talk',
}

/** A configured server. Its address has no credentials and no slash at the end. */
export interface CallServer {
  title: string
  address: string
  username: string
  password: string
}

/** @throws ChatError BAD_REQUEST "… is not configured." */
export function callServer({ options }: Chat, provider: CallProvider): CallServer {
  const title = titles[provider]
  const configured = options.callServers[provider]
  if (configured === '') throw badRequest(`${title} is not configured.`)
  const url = new URL(configured)
  const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  url.username = url.password = ''
  return { title, address: url.href.replace(/\/+$/, ''), username, password }
}

/** Providers that the organization may choose, by key. Some need a server that the operator named. */
export function offeredProviders({ options }: Chat) {
  const { big_blue_button, constructor_groups, nextcloud_talk, ...others } = videoChatProviders
  const { bigBlueButton, constructorGroups, nextcloudTalk } = options.callServers
  return {
    ...others,
    ...(bigBlueButton !== '' && { big_blue_button }),
    ...(constructorGroups !== '' && { constructor_groups }),
    ...(nextcloudTalk !== '' && { nextcloud_talk }),
  }
}

type ProviderId = (typeof videoChatProviders)[keyof typeof videoChatProviders]['id']

/** Returns the chosen provider, or none if the operator no longer names its server. */
export const providerInUse = (chat: Chat, chosen: ProviderId): ProviderId =>
  Object.values(offeredProviders(chat)).some(({ id }) => id === chosen) ? chosen : videoChatProviders.disabled.id

/**
 * Returns the addresses of servers for calls; empty for none.
 *
 * @throws Error for an address without the credentials that the provider needs
 */
export function checkedCallServers({
  bigBlueButton = '',
  constructorGroups = '',
  nextcloudTalk = '',
}: Partial<CallServers> = {}): CallServers {
  const isWeb = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (bigBlueButton !== '' && !(isWeb(bigBlueButton) && new URL(bigBlueButton).password)) {
    throw new Error('The BigBlueButton server must be an address with its secret: https://:SECRET@host/bigbluebutton/')
  }
  if (constructorGroups !== '' && !(isWeb(constructorGroups) && new URL(constructorGroups).password)) {
    throw new Error(
      'The Constructor Groups server must be an address with its keys: https://ACCESS_KEY:SECRET_KEY@host/api/groups/xapi',
    )
  }
  if (nextcloudTalk !== '' && !(isWeb(nextcloudTalk) && new URL(nextcloudTalk).password)) {
    throw new Error('The Nextcloud server must be an address with a user and password: https://user:password@host')
  }
  return { bigBlueButton, constructorGroups, nextcloudTalk }
}
