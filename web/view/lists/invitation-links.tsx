import { CopiedText } from '../parts/copied-text.tsx'
import { closeDialog, openDialog } from '../parts/dialog.tsx'

interface InvitationLink {
  /** Whom it is for; empty for everybody. */
  email: string
  link_url: string
}

/** Shows links of invitations, to be passed on: this server sends no mail. */
export function showLinks(links: readonly InvitationLink[]): void {
  openDialog(
    links.length === 1 ? 'The invitation’s link' : 'The invitations’ links',
    <>
      <p>This server sends no mail. Pass {links.length === 1 ? 'it' : 'each'} on to whom it is for.</p>
      {links.map(({ email, link_url }) => (
        <CopiedText key={link_url} label={email || 'Link'} value={link_url} />
      ))}
      <footer>
        <button type="button" class="primary" onClick={closeDialog}>
          Done
        </button>
      </footer>
    </>,
  )
}
