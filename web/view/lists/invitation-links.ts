import { pageTexts } from '../../texts/page-texts.ts'
import { openCopyDialog } from '../parts/copy-dialog.tsx'

export interface InvitationLink {
  /** Whom it is for; empty for everybody. */
  email: string
  link_url: string
}

/** Shows links of invitations, to be passed on: this server sends no mail. */
export const showLinks = (links: readonly InvitationLink[]): void =>
  openCopyDialog(
    pageTexts.invite.linkTitle(links.length),
    pageTexts.invite.linkText(links.length),
    links.map(({ email, link_url }) => ({ label: email || pageTexts.invite.link, value: link_url })),
  )
