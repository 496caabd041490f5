import { nameOf } from '../../../model/reading/people.ts'
import { isolated } from '../../../model/state/isolated.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { confirm } from '../../parts/confirm.tsx'
import { attempt, Problem } from '../../parts/notices.tsx'
import { shortDate } from '../../parts/times.ts'
import { useSession } from '../../session-context.ts'
import { showLinks } from '../invitation-links.ts'
import { mayInvite, openInvite } from '../invite.tsx'
import { roleName, rolesToGive } from '../roles.ts'
import { useAnswer } from '../use-answer.ts'

/** Valid invitations: the reader's own, or all of them for administrators. */
export function Invitations() {
  const session = useSession()
  const { client } = session
  const state = session.read('organization', 'groups', 'users')
  const { answer, problem } = useAnswer(() => client.listInvites(), 'invitations')
  const invites = answer.value?.invites ?? []
  const revoke = ({ id: invite_id, is_multiuse }: (typeof invites)[number]) =>
    confirm({
      title: pageTexts.invitations.revokeTitle,
      text: pageTexts.invitations.revokeText,
      action: pageTexts.common.revoke,
      run: () => (is_multiuse ? client.revokeInviteLink({ invite_id }) : client.revokeInvite({ invite_id })),
    })
  const renew = (invite_id: number, email: string) =>
    attempt(async () => {
      const { link_url, emailed } = await client.resendInvite({ invite_id })
      showLinks([{ email, link_url }], emailed)
    })
  return (
    <>
      {mayInvite(state) && (
        <p>
          <button type="button" class="primary" onClick={() => openInvite(session)}>
            {pageTexts.invite.title}
          </button>
        </p>
      )}
      <Problem of={problem} />
      <ul class="settings-list">
        {invites.map((invite) => {
          const { id, email, link_url, invited_as, invited_by_user_id, expiry_date } = invite
          const name = email ?? pageTexts.invitations.openLink
          return (
            <li key={id} class="bot">
              <span class="name">
                {email ?? pageTexts.invite.anyone}
                <span class="quiet small">
                  {pageTexts.invitations.details(
                    roleName(invited_as),
                    isolated(nameOf(session, invited_by_user_id)),
                    expiry_date === null
                      ? pageTexts.invitations.neverExpires
                      : pageTexts.invitations.expires(shortDate(new Date(expiry_date * 1000))),
                  )}
                </span>
              </span>
              {link_url && (
                <button
                  type="button"
                  aria-label={pageTexts.invitations.showLink}
                  onClick={() => showLinks([{ email: '', link_url }])}
                >
                  {pageTexts.invite.link}
                </button>
              )}
              {email !== undefined && rolesToGive(state).some(([role]) => role === invited_as) && (
                <button
                  type="button"
                  aria-label={pageTexts.invitations.newLinkFor(email)}
                  onClick={() => renew(id, email)}
                >
                  {pageTexts.invitations.newLink}
                </button>
              )}
              <button type="button" aria-label={pageTexts.invitations.revokeName(name)} onClick={() => revoke(invite)}>
                {pageTexts.common.revoke}
              </button>
            </li>
          )
        })}
      </ul>
      {answer.value && invites.length === 0 && <p class="quiet">{pageTexts.invitations.empty}</p>}
    </>
  )
}
