import { useSignal } from '@preact/signals'
import { ChatError, type ClientState, hasPermission, isAllowed, isChatError } from '../../../src/client/index.ts'
import { userGroups } from '../../model/reading/groups.ts'
import type { Session } from '../../model/state/session.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import { openDialog } from '../parts/dialog.tsx'
import { inARow } from '../parts/in-a-row.ts'
import { notify, reasonOf } from '../parts/notices.tsx'
import { SessionProvider, useSession } from '../session-context.ts'
import { ActionForm, textIn } from './action-form.tsx'
import { type InvitationLink, showLinks } from './invitation-links.ts'
import { MEMBER, rolesToGive } from './roles.ts'

/** Whether the reader may let people in, by their addresses or by a link for everybody. */
export const mayInvite = (state: ClientState): boolean =>
  hasPermission(state, 'realm_can_invite_users_group') || hasPermission(state, 'realm_create_multiuse_invite_group')

/** Asks whom a link is to let in, for how long and to what, and makes it. */
export function openInvite(session: Session): void {
  openDialog(
    pageTexts.invite.title,
    <SessionProvider value={session}>
      <Invite />
    </SessionProvider>,
  )
}

const DAY_MINUTES = 24 * 60
const times = [
  [String(DAY_MINUTES), pageTexts.invite.day],
  [String(7 * DAY_MINUTES), pageTexts.invite.week],
  [String(30 * DAY_MINUTES), pageTexts.invite.month],
  ['', pageTexts.invite.never],
] as const

/** Shows the links of people who could be invited. The others are named, each with its reason. */
async function sent(inviting: Promise<Sent>): Promise<Sent> {
  try {
    return await inviting
  } catch (error) {
    if (!isChatError(error) || error.code !== 'INVITATION_FAILED') throw error
    const { errors, invitations, emailed = false } = error.data as unknown as Refused
    const reasons = errors.map(([address, reason]) =>
      texts.common.labeled(address, reasonOf(new ChatError('BAD_REQUEST', reason))),
    )
    const why = inARow(...reasons)
    if (!invitations) throw new Error(why)
    notify(pageTexts.invite.notInvited(why))
    return { invitations, emailed }
  }
}

interface Sent {
  invitations: readonly InvitationLink[]
  /** Whether the server emailed the links. */
  emailed: boolean
}

interface Refused {
  errors: readonly [address: string, reason: string, deactivated: boolean][]
  /** Links of the people who were invited nevertheless. */
  invitations?: readonly InvitationLink[]
  emailed?: boolean
}

function Invite() {
  const session = useSession()
  const { client } = session
  const state = session.read('organization', 'groups', 'users', 'streams')
  const byAddress = hasPermission(state, 'realm_can_invite_users_group')
  const byLink = hasPermission(state, 'realm_create_multiuse_invite_group')
  const single = useSignal(!byLink)
  // Those that the reader may add people to.
  const managesGroups = hasPermission(state, 'realm_can_manage_all_groups')
  const groups = userGroups(session).filter(
    (one) => managesGroups || isAllowed(state, one.can_manage_group) || isAllowed(state, one.can_add_members_group),
  )
  const addsToStreams = hasPermission(state, 'realm_can_add_subscribers_group')
  const streams = state.subscriptions.filter(
    ({ is_archived, stream_id }) => !is_archived && (addsToStreams || state.realm_default_streams.includes(stream_id)),
  )
  const make = async (data: FormData) => {
    const minutes = textIn(data, 'minutes')
    const shared = {
      invite_expires_in_minutes: minutes === '' ? null : Number(minutes),
      invite_as: Number(data.get('role')),
      stream_ids: data.getAll('stream').map(Number),
      group_ids: data.getAll('group').map(Number),
      include_realm_default_subscriptions: data.get('defaults') === 'on',
    }
    if (!single.value) {
      showLinks([{ email: '', link_url: (await client.createInviteLink(shared)).invite_link }])
      return
    }
    const { invitations, emailed } = await sent(
      client.sendInvites({ ...shared, invitee_emails: textIn(data, 'addresses') }),
    )
    showLinks(invitations, emailed)
  }
  return (
    <ActionForm action={pageTexts.invite.action} keep run={make}>
      {byAddress && byLink && (
        <label>
          {pageTexts.invite.audience}
          <select
            value={single.value ? 'single' : 'everybody'}
            onChange={(event) => (single.value = event.currentTarget.value === 'single')}
          >
            <option value="everybody">{pageTexts.invite.anyone}</option>
            <option value="single">{pageTexts.invite.byEmail}</option>
          </select>
        </label>
      )}
      {single.value && (
        <label>
          {pageTexts.invite.addresses}
          <textarea name="addresses" rows={2} required placeholder={pageTexts.invite.addressesExample} />
        </label>
      )}
      <label>
        {pageTexts.invite.role}
        <select name="role" defaultValue={String(MEMBER)}>
          {rolesToGive(state).map(([role, name]) => (
            <option key={role} value={String(role)} selected={role === MEMBER}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {pageTexts.invite.expires}
        <select name="minutes">
          {times.map(([value, label]) => (
            <option key={value} value={value} selected={label === pageTexts.invite.week}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label class="choice">
        <input type="checkbox" name="defaults" defaultChecked />
        {pageTexts.invite.defaultChannels}
      </label>
      <Choices
        name="stream"
        title={pageTexts.invite.channels}
        things={streams.map(({ stream_id, name }) => [stream_id, name])}
      />
      <Choices name="group" title={pageTexts.invite.groups} things={groups.map(({ id, name }) => [id, name])} />
    </ActionForm>
  )
}

interface ChoicesProps {
  name: string
  title: string
  things: readonly (readonly [id: number, name: string])[]
}

/** Any of a list, folded: most invitations need none of it. */
function Choices({ name, title, things }: ChoicesProps) {
  if (things.length === 0) return null
  return (
    <details>
      <summary>{title}</summary>
      {things.map(([id, label]) => (
        <label key={id} class="choice">
          <input type="checkbox" name={name} value={String(id)} />
          {label}
        </label>
      ))}
    </details>
  )
}
