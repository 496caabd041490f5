export const isPostgres = (file: string): boolean => /^postgres(ql)?:\/\//.test(file)

/** An address without its password, for messages. */
export function withoutPassword(url: string): string {
  const parsed = new URL(url)
  parsed.password = ''
  parsed.search = ''
  return parsed.href
}
