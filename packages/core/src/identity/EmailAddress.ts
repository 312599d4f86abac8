/** What counts as an e-mail address, whichever way an account is made. Only a message to it would prove more. */
export const EmailAddress = {
  maxLength: 254,
  is: (text: string): boolean => text.length <= EmailAddress.maxLength && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text),
  rule: "must be an e-mail address"
} as const
