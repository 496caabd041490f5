import { pageTexts } from '../../texts/page-texts.ts'

const { sections } = pageTexts

/** What limits of the settings are for, by the words of the server's sentences. */
export const limitedInSettings: readonly (readonly [RegExp, string])[] = [
  [/\breminders\b/, pageTexts.reminders.title],
  [/\binvitations\b/, sections.invitations],
  [/\bdomains\b/, sections.domains],
  [/\btemplates\b/, sections.integrations],
  [/\bfeeds\b/, pageTexts.feeds.title],
  [/\bprofile fields\b/, sections.fields],
  [/\bfilters\b/, sections.contentFilters],
  [/\bdevices\b/, pageTexts.sessions.devices],
  [/\bmuted users\b/, sections.muted],
  [/\bkeys\b/, sections.sessions],
  [/\bproviders\b/, sections.providers],
  [/\bpasskeys\b/, pageTexts.passkeys.title],
  [/\balert words\b/, sections.words],
  [/\bplaygrounds\b/, sections.playgrounds],
  [/\blinkifiers\b/, sections.linkifiers],
  [/\bchannel groups\b/, pageTexts.channelSets.title],
  [/\bgroups\b/, sections.groups],
  [/\bfolders\b/, sections.folders],
]
