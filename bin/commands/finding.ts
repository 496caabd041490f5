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
