/** Returns the value of a request's cookie. */
export const cookieIn = ({ headers }: Request, name: string): string | undefined => {
  const header = headers.get('cookie')
  return header === null ? undefined : new RegExp(`(?:^|;)\\s*${name}=([\\w-]{1,100})`).exec(header)?.[1]
}
