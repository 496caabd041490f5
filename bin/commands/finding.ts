export interface Finding {
  name: string
  ok: boolean
  detail: string
}

export const finding = (name: string, ok: boolean, detail: string | number): Finding => ({
  name,
  ok,
  detail: String(detail),
})

/** Whether the organization is active. `since` is when it was deactivated, in seconds since 1970. */
export const organizationFinding = (since: number | null): Finding =>
  finding(
    'organization',
    true,
    since === null
      ? 'active'
      : `deactivated since ${new Date(since * 1000).toISOString()}; to reopen it, run "chat-server org reactivate"`,
  )

/** Identity providers that don't work now. A server without any has no line. */
export const signOnFindings = (problems: readonly string[] = []): Finding[] =>
  problems.map((problem) => finding('sign-on', false, problem))
