/** How one likes to play. */
export const settings = {
  looks: "Looks",
  language: "Language",
  theme: "Theme",
  themes: { auto: "As the device likes", light: "Light", dark: "Dark", contrast: "High contrast" },
  suits: "Suit colours",
  suitsWhat: { two: "Two colours", distinct: "Four that can be told apart" },
  sample: "How the suits look",
  faces: "Card faces",
  facesWhat: { auto: "Big letters where cards are small", art: "Always pictures", big: "Always big letters" },
  motion: "Movement",
  motionWhat: { auto: "As the device likes", off: "None" },
  coach: "The first steps",
  coachWhat: "Shows the three steps on the board again.",
  coachAgain: "Show them again",
  coachComes: "They are shown when you next open the board.",
};
