import { nameOf } from '../../../model/reading/people.ts'
import { showLinks } from '../../lists/invitation-links.ts'
import { mayInvite, openInvite } from '../../lists/invite.tsx'
import { confirm } from '../../parts/confirm.tsx'
import { attempt, Problem } from '../../parts/notices.tsx'
import { shortDate } from '../../parts/times.ts'
import { useSession } from '../../session-context.ts'
import { roleName, rolesToGive } from '../roles.ts'
import { useAnswer } from '../use-answer.ts'

/** Invitations that can be used: the reader's and, for administrators, everybody's. */
export function Invitations() {
  const session = useSession()
  const { client } = session
  const state = session.read('organization', 'groups', 'users')
  const { answer, problem } = useAnswer(() => client.listInvites(), 'invitations')
  const invites = answer.value?.invites ?? []
  const revoke = ({ id: invite_id, is_multiuse }: (typeof invites)[number]) =>
    confirm({
      title: 'Revoke this invitation?',
      text: 'Its link leads nowhere from now on. Who has joined with it stays.',
      action: 'Revoke',
      run: () => (is_multiuse ? client.revokeInviteLink({ invite_id }) : client.revokeInvite({ invite_id })),
    })
  const renew = (invite_id: number, email: string) =>
    attempt(async () => showLinks([{ email, link_url: (await client.resendInvite({ invite_id })).link_url }]))
  return (
    <>
      {mayInvite(state) && (
        <p>
          <button type="button" class="primary" onClick={openInvite}>
            Invite people
          </button>
        </p>
      )}
      <Problem of={problem} />
      <ul class="settings-list">
        {invites.map((invite) => {
          const { id, email, link_url, invited_as, invited_by_user_id, expiry_date } = invite
          const name = email ?? 'the link for everybody'
          return (
            <li key={id} class="bot">
              <span class="name">
                {email ?? 'Everybody who has the link'}
                <span class="quiet small">
                  {roleName(invited_as)}, by <bdi>{nameOf(session, invited_by_user_id)}</bdi>,{' '}
                  {expiry_date === null ? 'without an end' : `until ${shortDate(new Date(expiry_date * 1000))}`}
                </span>
              </span>
              {link_url && (
                <button type="button" aria-label="Show the link" onClick={() => showLinks([{ email: '', link_url }])}>
                  Link
                </button>
              )}
              {email !== undefined && rolesToGive(state).some(([role]) => role === invited_as) && (
                <button type="button" aria-label={`New link for ${email}`} onClick={() => renew(id, email)}>
                  New link
                </button>
              )}
              <button type="button" aria-label={`Revoke ${name}`} onClick={() => revoke(invite)}>
                Revoke
              </button>
            </li>
          )
        })}
      </ul>
      {answer.value && invites.length === 0 && <p class="quiet">Nobody is invited at the moment.</p>}
    </>
  )
}
