/** What a person can put right: its message is the line that they read, and it says what to do. */
export class StaffError extends Error {}
