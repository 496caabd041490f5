const browsers: readonly [RegExp, string][] = [
  [/\bEdg\//, 'Edge'],
  [/\bFirefox\//, 'Firefox'],
  [/(Chrome|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** What a browser's session is called in the list of sessions, such as "Firefox on Linux". */
export function browserName(userAgent: string): string {
  const of = (names: readonly [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1]
  return [of(browsers) ?? 'Browser', of(systems)].filter(Boolean).join(' on ')
}
