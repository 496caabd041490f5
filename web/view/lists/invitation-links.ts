import { showToCopy } from '../parts/show-to-copy.tsx'

export interface InvitationLink {
  /** Whom it is for; empty for everybody. */
  email: string
  link_url: string
}

/** Shows links of invitations, to be passed on: this server sends no mail. */
export const showLinks = (links: readonly InvitationLink[]): void =>
  showToCopy(
    links.length === 1 ? 'The invitation’s link' : 'The invitations’ links',
    `This server sends no mail. Pass ${links.length === 1 ? 'it' : 'each'} on to whom it is for.`,
    links.map(({ email, link_url }) => ({ label: email || 'Link', value: link_url })),
  )
