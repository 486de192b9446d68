import type { settings as en } from "../en/settings.ts";

export const settings: typeof en = {
  looks: "Вид",
  language: "Язык",
  theme: "Тема",
  themes: { auto: "Как на устройстве", light: "Светлая", dark: "Тёмная", contrast: "Высокий контраст" },
  suits: "Цвета мастей",
  suitsWhat: { two: "Два цвета", distinct: "Четыре, легко различимые" },
  sample: "Как выглядят масти",
  faces: "Рисунок карт",
  facesWhat: { auto: "Крупные знаки на маленьких картах", art: "Всегда обычный", big: "Всегда крупные знаки" },
  motion: "Движение",
  motionWhat: { auto: "Как на устройстве", off: "Без движения" },
  coach: "Первые шаги",
  coachWhat: "Ещё раз покажет три шага на игровом поле.",
  coachAgain: "Показать ещё раз",
  coachComes: "Они появятся, когда вы откроете игровое поле.",
};
