import { pageTexts } from '../../texts/page-texts.ts'
import { openCopyDialog } from '../parts/copy-dialog.tsx'

export interface InvitationLink {
  /** Whom it is for; empty for everybody. */
  email: string
  link_url: string
}

/** Shows links of invitations, to be passed on. */
export const showLinks = (links: readonly InvitationLink[], emailed = false): void =>
  openCopyDialog(
    pageTexts.invite.linkTitle(links.length),
    emailed ? pageTexts.invite.emailedText(links.length) : pageTexts.invite.linkText(links.length),
    links.map(({ email, link_url }) => ({ label: email || pageTexts.invite.link, value: link_url })),
  )
