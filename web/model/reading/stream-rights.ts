import { type ClientState, hasPermission, isAllowed } from '../../../src/client/index.ts'

type Stream = ClientState['never_subscribed'][number]

const isIn = (state: ClientState, { stream_id }: Stream): boolean =>
  state.subscriptions.some((one) => one.stream_id === stream_id)

/** Whether the reader can read a stream. Administrators can see private streams that they can't read. */
export const mayRead = (state: ClientState, stream: Stream): boolean =>
  isIn(state, stream) || stream.is_web_public || !(stream.invite_only || state.is_guest)

/** Whether the reader may join a stream that they are not in. */
export const mayJoin = (state: ClientState, stream: Stream): boolean =>
  !state.is_guest &&
  (!stream.invite_only ||
    isAllowed(state, stream.can_subscribe_group) ||
    isAllowed(state, stream.can_add_subscribers_group))

/** Whether the reader may add others to a stream. */
export const mayAddOthers = (state: ClientState, stream: Stream): boolean =>
  !state.is_guest &&
  (isAllowed(state, stream.can_add_subscribers_group) ||
    ((!stream.invite_only || isIn(state, stream)) && hasPermission(state, 'realm_can_add_subscribers_group')))
