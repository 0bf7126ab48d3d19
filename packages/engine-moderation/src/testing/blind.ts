/**
 * Ordinary sentences with risky words, by an author who had seen neither the rules nor the other tests. Initially, three of the
 * four hundred were flagged (README).
 */
export const blindSentences: readonly string[] = `
I could murder a curry right now, and maybe a naan the size of a pillow.
How do I kill a process that's hogging port 8080 on my Mac?
My sister is dying to see the new baby before everyone else does.
Break a leg tonight, you've rehearsed this monologue a hundred times!
The photographer wants to shoot us at sunrise, so please bring a jacket.
Bleed the radiators before winter, otherwise the top half stays stone cold.
Whip the cream until it holds soft peaks, then fold in the crushed raspberries.
She bombed her driving test because a pigeon walked into the road and refused to move.
Our hooker threw three crooked lineouts in a row and the coach nearly wept.
Does extra virgin olive oil actually go bad, or does it just taste a bit flat?
The deadline got moved again, which honestly saved my weekend.
I hate Mondays with a passion that surprises even my therapist.
What's the difference between a master cylinder and a slave cylinder in a hydraulic clutch?
Grandma cracked the eggs one-handed while arguing with the radio.
Rename the master branch to main and update the CI config before you merge.
After the third round of chemo, Dad said he was too stubborn to die, and then asked for ice cream.
Can anyone recommend a gentle way to ask a patient about thoughts of self-harm during intake?
Publishing that memo would have been career suicide, so he deleted the draft.
Has anyone here seen The Suicide Squad, and is it better than the 2016 one?
Poach the chicken breast in stock for about fifteen minutes and let it rest.
My mammogram letter arrived today; they want me back for a second look at the left breast.
Jupiter's four big moons are almost visible to the naked eye on a clear night.
Which nude lipstick works for olive skin without making me look ill?
Dave stripped the wallpaper in the hall and found three more layers underneath.
There was a handwritten checklist taped inside the cockpit of the old Cessna.
The bartender set the cocktail on fire, on purpose, and everybody clapped.
Pussy willow cuttings root easily if you leave them in a jar of water by the window.
I grew up in Scunthorpe and half the websites of my youth wouldn't let me register.
We're driving from Essex to Cornwall with two toddlers, so pray for us.
You'll need four wood screws, a drill, and more patience than I had.
He really nailed the interview, especially the bit about conflict in teams.
Bang the jar lid on the counter a couple of times and it should open.
As a queer woman in my forties, I'm looking for book clubs in Leeds that aren't all twenty-somethings.
The paper ran a short profile of the town's first openly gay mayor.
Muslim students asked the school for a quiet room to pray during Ramadan, and the head agreed.
My Jewish neighbour brought over challah on Friday and now my kids are obsessed.
Black women are under-represented in the trial, which the authors list as a limitation.
Is the venue accessible for disabled guests, and is there a lift to the second floor?
"Nobody deserves to be hit by someone who says they love them," the poster in the clinic read.
I would never hurt anyone, let alone a spider; I carry them out in a cup.
In chapter nine the detective realises the murder weapon was an icicle all along.
Qxd7+ sacrifices the queen, but White can't recapture without being mated in two.
How many hits does it take to beat the final boss on hard mode?
My cat terrorizes the postman, the dog next door, and one particular houseplant.
Weed between the carrots early or they'll get choked out by June.
The nurse said I'd feel a small scratch, and the flu shot was over before I noticed.
Pick up some plasters and cough drops from the drugstore on your way home, would you?
That guitar solo is so dope I had to pull the car over.
I burned my thumb on the glue gun making a volcano for the science fair.
Please turn these three paragraphs into bullet points for the slide deck.
Sales missed the quarterly target by four percent, mostly because of shipping delays.
Add an AFTER INSERT trigger that writes the old and new values to the audit table.
The pressure cooker didn't explode, but it did make a noise I'll never forget.
Stupid mistake on my part: I commented out the wrong line and shipped it.
We need an idiot-proof label on the fuse box, because the idiot is usually me.
At what age does sex education start in Dutch primary schools?
In birds, females carry the two different sex chromosomes, which is the reverse of mammals.
As a shy teenager I couldn't speak to anyone of the opposite sex without dropping something.
Hang the coats by the back door; the front hook is loose.
The program hangs for about ten seconds whenever it tries to resolve the hostname.
A heart attack in women can feel more like indigestion than chest pain.
Asthma attacks at night have gotten worse since we moved near the mill.
The teachers' strike enters its second week with no talks scheduled.
Lightning struck the old oak at the bottom of the churchyard and split it clean in two.
Don't blow on the soup, just wait a minute like a civilised person.
Blow-dry your fringe first, before it dries into that weird kink.
I beat my personal best on the 5K by eleven whole seconds!
Beat two eggs with a pinch of salt until no streaks remain.
He choked on a grape at lunch and the dinner lady did the Heimlich perfectly.
We had a three-goal lead and choked it away in the last ten minutes, typical.
Can I donate blood if I got a tattoo four months ago?
Blood oranges are in season, so I'm making that upside-down cake again.
The director cut twenty minutes from the middle and the film is far better for it.
Cut the stems at an angle under running water and the roses last longer.
The board voted to execute the merger plan in two phases.
Executing this query takes nine seconds because there's no index on customer_id.
Frederick Douglass escaped slavery in 1838 and became one of the great orators of his century.
My great-great-grandmother was born enslaved in Georgia, and I'm trying to trace her records.
I've cut down to one Diet Coke a day and the headaches are brutal.
At the crack of dawn the bakers are already halfway through their shift.
There's a crack in my windscreen that grows every time it freezes.
Bath bombs leave a purple ring around my tub, so what gets it off?
Police evacuated the street after builders dug up an unexploded wartime bomb.
Oppenheimer is a three-hour film about the atomic bomb and I was somehow never bored.
To Kill a Mockingbird is on the Year 10 reading list again.
Does anyone know who originally recorded "I Shot the Sheriff"?
"Killing Me Softly" was the first dance at our wedding, and yes, we know.
Bohemian Rhapsody's narrator confesses to his mother in the first verse, as every karaoke singer knows.
The vet says we should shoot for two walks a day until he loses a kilo.
New green shoots are coming up where I thought the hydrangea was dead.
These heels are killing me; can we take a cab?
You slay in that blazer, don't change a thing.
Over my dead body are we getting a third guinea pig, she said, while googling cages.
My phone died on the bus so I missed your seven messages.
Kill two birds with one stone and drop the library books off on the way.
The judge told the jury to disregard the witness's remark about the knife.
Counsel argued that the shooting was an accident and that the safety catch had failed.
She was acquitted of manslaughter in 2014 after new forensic evidence came to light.
Is there a statute of limitations on assault in Scotland?
The city council will debate a ban on replica guns at Thursday's meeting.
How do hunters in Montana apply for an elk tag as out-of-state residents?
We shot clay pigeons at the bachelor party and I was terrible at it.
Squeeze the trigger on the hose nozzle gently or you'll flatten the seedlings.
My uncle taught me to gut and fillet a trout when I was eight.
Circle hooks reduce gut-hooking, so the bass you release are more likely to survive.
Rabbits decimated my lettuce, and the netting did absolutely nothing.
What actually kills moss on a north-facing lawn without harming the dog?
Slugs murdered my dahlias overnight, again.
Deadhead the petunias every few days and they'll keep flowering till October.
Dead bugs and planks are the only core exercises my back will tolerate.
My triceps are screaming after those skull crushers.
Coach says the deadlift should feel like pushing the floor away.
She hit the bullseye twice and then, somehow, the pub's ceiling.
Three strikes and you're out, unless the catcher drops the ball.
Our goalkeeper took a nasty blow to the head and was subbed off as a precaution.
The striker shot wide from six yards with the goal gaping.
Steph Curry was on fire last night; he couldn't miss a shot.
I got absolutely destroyed at Scrabble by a nine-year-old.
In Catan my brother always attacks whoever is winning, with the robber, I mean.
Does headshot damage scale with weapon level in this game, or is it flat?
My healer kept dying in the second phase because nobody dispelled the poison.
Respawn timers in the new map are too long, in my opinion.
The assassin class is fun, but your inventory fills up with daggers.
Black to move: can you find the killer bishop sacrifice?
I'm stuck on the drowned-village quest; do I have to fight the bandits first?
What's a responsible way to report a vulnerability I found in my bank's app?
Explain what a SQL injection attack is in terms my manager would understand.
Brute-force attacks against our login page have dropped since we added rate limiting.
Man-in-the-middle attacks are on the exam, so I'm making flashcards tonight.
A fork bomb showed up in our training slides as an example of why process limits exist.
The parent process should reap its zombie children instead of leaving orphans around.
Why does kill -9 not give the program a chance to clean up?
LGTM, but nit: "dummy" is a poor variable name, so maybe call it placeholder.
This function is a bit of a monster; could we chop it into three?
I nuked my node_modules folder and reinstalled, and the error finally went away.
The garbage collector pauses were murdering our tail latency.
Let's put this dead code out of its misery before the next release.
My flaky test explodes only on Windows, and only on Tuesdays, apparently.
Her inbox exploded after the recipe went viral.
The population of starlings exploded and then crashed within a decade.
My therapist wants me to keep a log of what triggers my migraines.
Our fourteen-year-old told the school counsellor she'd been cutting, and we want to know how to support her.
If someone you know is talking about suicide, stay with them and ring a crisis line together.
The charity's suicide prevention walk raised eleven thousand pounds last Sunday.
Suicide rates among farmers were the subject of a moving documentary on Radio 4.
Overdose deaths fell in the county for the first time in seven years, officials reported.
Paramedics gave him naloxone and he was breathing on his own before reaching hospital.
Is it safe to take ibuprofen with the blood thinner my cardiologist prescribed?
My toddler bit his lip and there was blood everywhere, but he's fine now and demanding biscuits.
Nosebleeds that last more than twenty minutes should be looked at.
The drug was withdrawn in 2004 after trials showed an increased risk of stroke.
Please double-check the morphine chart for bed six before handover.
A stroke can look like drunkenness, so never dismiss slurred speech.
Latex gloves are in the second drawer, next to the anal thermometer covers, for the infant ward.
Testicular cancer is very treatable when caught early, so check yourself in the shower.
Breastfeeding twins is like running a small, very loud restaurant.
My vagina has felt itchy since I started antibiotics; is thrush a common side effect?
The penis worm, Priapulus caudatus, lives buried in marine mud.
Great tits have been nesting in our letterbox since March.
A blue-footed booby does a little dance to impress its mate.
We watched a cock crow from the roof of the barn at half past four.
Niggling knee pain has kept me off the trail for two weeks.
The finance team was accused of being niggardly with travel expenses, an unlucky word choice.
Her first assignment was to assess the cost of replacing the classroom glass.
Homo erectus may have been controlling fire nearly a million years ago.
Dickens walked for miles at night when he couldn't sleep.
My boss, Dick, is retiring in May and we're collecting for a fishing rod.
Arsenal drew nil-nil and I fell asleep on the sofa.
The Titanic exhibit includes a tiny shoe that made me cry.
Which rake is best for thatch, a spring-tine or one of those spiked hoes?
Mix flour, butter and sugar with your fingers till it's crumbly; don't batter it to death.
Toss the asparagus in oil and blast it under the grill for five minutes.
My nan makes faggots and mushy peas every Bonfire Night.
Spotted dick with custard is the only pudding I will queue for.
Roast the cockerel slowly, as an older bird can be tough.
This hot sauce is lethal and I love it.
Death by chocolate is what the menu calls it, and the portion does feel like a threat.
Someone ate my labelled lunch and I have never known such rage.
Sharpen the knife first; a dull blade slips and that's when you cut yourself.
I stabbed the potatoes all over with a fork so they wouldn't burst in the microwave.
Smash the garlic with the flat of the knife and the skin slides right off.
Torch the top until the sugar bubbles and turns the colour of amber.
My essay compares the violence in Macbeth with the violence in Lord of the Flies.
Why does Brutus agree to join the plot to assassinate Caesar?
Hamlet's "to be or not to be" speech is often read as a meditation on suicide.
Anne Boleyn was executed at the Tower on 19 May 1536.
The guillotine was introduced as a more humane method, if you can believe it.
Students will examine propaganda posters and discuss how they dehumanised Jewish families in 1930s Germany.
The Rwandan genocide lasted about a hundred days, and the reading list covers several survivor memoirs.
Survivors described the massacre at a memorial service attended by both governments.
Kristallnacht is the topic of my presentation and I want to treat it respectfully.
My grandfather never talked about the war, except to say he was a terrible shot.
The abolitionist pamphlet condemned the whipping of enslaved people in language that still stings.
"Hate cannot drive out hate; only love can do that," Dr King wrote.
An editorial called the racist chants shameful and demanded the club act.
White families and Black families were surveyed separately about mortgage approvals.
The mosque and the synagogue share a car park and, every spring, a barbecue.
Wheelchair users shouldn't have to ring ahead just to catch a train.
I nearly died of embarrassment when the microphone was still on.
Panic attacks feel like dying, but they pass, and breathing slowly really does help.
Honestly I'd kill for a decent cup of tea and ten minutes of silence.
That new puppy is going to be the death of my carpets.
Our landlord finally got someone in to deal with the rat problem under the floorboards.
Can you shoot me an email once the contract is signed?
It was a long shot, but I wrote to the author and she actually replied!
He shot up four inches over the summer and none of his trousers fit.
Two shots of espresso, oat milk, no sugar, please and thank you.
They gave the puppies their first shots today and one of them yelped at nothing.
I'm calling the shots in the kitchen this Christmas, and there will be no sprouts.
Moderna and Pfizer shots can be given in the same visit as the flu jab, our GP said.
You dodged a bullet by not buying that house with the damp cellar.
Just bite the bullet and ring the dentist.
The bullet train from Tokyo to Kyoto takes a little over two hours.
Use a silver bullet analogy if you must, but explain why no single fix works.
Top guns of the local tennis club were beaten by a retired dentist, 6–2, 6–1.
The massage gun helped my calves more than the foam roller ever did.
The nail gun jammed, so we finished the fence with hammers like it was 1950.
Nerf guns are banned in the house after the incident with the lamp.
Could someone explain how gun licensing works in New Zealand compared with Canada?
Gunpowder tea is rolled into tiny pellets that unfurl in hot water.
Senators questioned the witness about the drone strike for nearly two hours.
An airstrike damaged the hospital's east wing, according to aid workers on the ground.
Rail workers plan to strike on the bank holiday, so book the coach instead.
She has a striking resemblance to my old chemistry teacher.
I'm trying to strike a balance between sleeping and being a parent.
Strike while the iron's hot and ask for that raise this week.
How do I put strikethrough on text in Google Docs with the keyboard?
We bowled four strikes in a row and then the machine broke.
The song was a massive hit in Brazil before anyone here had heard it.
Hit reply-all by accident and told sixty people about my rash, so that's my day.
When the recession hit, my parents closed the shop and moved in with Auntie Rose.
Hitting the gym after a night shift is not as bad as it sounds.
A cache hit costs almost nothing, whereas a miss goes all the way to disk.
I hit my head on the same beam every single morning.
This beat needs more bass and fewer handclaps.
Stop beating yourself up about the typo, nobody noticed.
If you can't beat them, join them, so I bought an air fryer too.
Her heart was beating at 140 when she came into the emergency department.
Beetroot stains came off my hands eventually, though I looked like I'd committed a crime.
The party whip told members to stay for the late vote.
Physio for whiplash starts on Tuesday, and until then I can't turn left.
Indiana Jones's whip sold at auction for more than my flat.
Miracle Whip is not mayonnaise and I will hear no arguments.
Attach the choke chain? No, our trainer recommends a harness and plenty of treats.
Pull out the choke, give it a little throttle, and the old mower should start.
Small magnets and button batteries are choking hazards, or worse, for toddlers.
I got choked up at the school play when the sheep forgot their lines.
The red dye bled into everything and now my shirts are pink.
Bleeding-edge releases are fine for your laptop, not for the payroll server.
My heart bleeds for the families who lost their homes in the flood.
Is light bleeding normal at nine weeks, or should I ring the midwife?
The printer wants a 3 mm bleed on all sides of the poster.
Black pudding is made with pig's blood, oats and a surprising amount of pepper.
It's bloody freezing in this office and Karen has the window open.
Blood, Sweat & Tears were my mum's favourite band.
My blood sugar dropped during spin class and the instructor handed me a banana.
There's bad blood between the two villages over a football match in 1974.
Tell him to cut it out, some of us are trying to revise.
A paper cut from a birthday card, of all things.
The council cuts hit libraries hardest, the report found.
Cut to the chase: are we hiring this person or not?
He's a cut above the other trumpet players in the county band.
Asking for a raise during layoffs felt like political suicide, but she got it.
In chess, a suicide variant exists where you win by losing all your pieces.
Our GP practice is training receptionists in suicide awareness this autumn.
Durkheim's Suicide was published in 1897 and is still assigned in first-year sociology.
The Virgin Suicides is beautifully shot, and the soundtrack by Air is perfect.
Losing my brother to suicide taught me how much it matters to ask people directly how they are.
What should a teacher say, and not say, to a pupil who has mentioned self-harm?
As a clinician, which validated screening tools do you use for adolescent self-injury?
I'm in recovery, eight months now, and proud that I haven't hurt myself since January.
It's to die for, that lemon tart from the place on Mill Street.
Roll the die twice and add the numbers for your initiative.
When did the language's last speaker die, and were there any recordings?
My grandmother died peacefully on Sunday, so I'll need a few days off.
Old habits die hard, and I still reach for the light switch in the old place.
Die Hard is a Christmas film and I won't be taking questions.
Never say die, lads, there are still twenty minutes on the clock.
What is the difference between 'die' and 'der' in German, and when do I use each?
Wool takes dye better if you soak it overnight.
This seminar is deadly dull, and there are two hours left.
Deadly nightshade berries look a bit like blueberries, so teach the children to leave them alone.
The Dead Sea is shrinking by roughly a metre every year.
Day of the Dead altars usually include marigolds, photos and favourite foods.
Dead Poets Society made me want to be a teacher, and then I became an accountant.
Executive summary first, then the numbers, and keep it under two pages.
A clumsily executed pirouette is still better than mine.
Texas has executed fewer prisoners in recent years, according to the nonprofit's annual figures.
My late father named me executor of his will and I have no idea where to start.
It was a flawless execution of a difficult dive, and the judges loved it.
Hang in there, exam season is nearly over.
I've got a hangover and a parents' evening, in that order.
We used to hang out behind the chip shop and talk nonsense for hours.
The last public hanging in England took place outside Newgate in 1868.
Hangman is still the best game for a rainy car journey.
The wisteria hangs over the gate and attacks anyone taller than five foot six.
Set the second flash to slave mode and it'll fire when the first one does.
The museum's new gallery follows ships of the transatlantic slave trade from Liverpool onward.
Twelve Years a Slave is a hard watch, but our class had the best discussion of the term after it.
I slaved over that lasagne and they ordered pizza.
Modern slavery statements must be signed by a director before publication.
Spartacus led a revolt of enslaved gladiators in 73 BC.
I'm finishing my master's in marine biology, on crab migration of all things.
Crack open a window, the paint fumes are giving me a headache.
You crack me up, did you really say that to the vicar?
Crackling should be crisp, so dry the skin and salt it the night before.
Firecrackers scare our dog so badly that we spend New Year's in a motel by the motorway.
The crack cocaine sentencing disparity was narrowed by a law passed in 2010.
That sourdough is like crack, I swear I ate half the loaf in the car.
Coke is used to reduce iron ore in a blast furnace.
One large Coke, no ice, and a kids' meal with apple slices.
A glyphosate-free weed killer that's safe around chickens: does it exist?
Seaweed snacks are the only green thing my son will eat.
Germany's new weed law was the lead story on every channel.
Tumbleweed blew across the stage at my open-mic set, metaphorically speaking.
The cyclist denied doping and appealed to the court in Lausanne.
Dopamine isn't really a pleasure chemical; it's closer to anticipation.
Phosphorus doping makes silicon n-type, as covered in lecture four.
Which over-the-counter drugs shouldn't I mix with my blood pressure tablets?
The War on Drugs are touring again and I got balcony seats.
Drugged by the warm train and the rain, I slept straight past my stop.
My parents dragged me to a drag brunch and had more fun than I did.
Clinical staff must sign the controlled drugs register at both ends of the shift.
Heroin was once sold as a cough remedy, which our pharmacology lecturer loves to mention.
She's the heroine of the story, though the prologue makes you think otherwise.
Target had the same lamp for half the price, by the way.
In archery you aim slightly above the target at long range.
Monoclonal antibodies target a specific protein on the surface of the tumour.
Phishing emails targeted our accounts team three times this month, so here's a refresher.
Pollen triggers my asthma, so I garden in a mask like a tiny surgeon.
Cron didn't trigger the backup because the machine was asleep.
I'm trigger-happy with the semicolon; feel free to remove a few.
Happiest when my code compiles and nothing explodes.
Explode the diagram so students can see each gear separately.
A supernova explosion can outshine its whole galaxy for a few weeks.
The Halifax explosion of 1917 flattened much of the city's north end.
Cherry bombs, the cocktail sort of tomatoes, are the sweetest I've grown.
You look like the bomb in that green dress!
Photobombed by a llama on our honeymoon, and it's the best picture of the lot.
Unattended luggage caused a bomb scare at the terminal, and flights were delayed by an hour.
Truman's decision to use the bomb is our essay question for Friday.
Cost an absolute bomb, that sofa, but you can sleep on it.
The tiny terror has learned to open the fridge.
Terrorism law in the UK was reviewed by an independent barrister last year.
The terrier is terrified of balloons.
A novelist friend is stuck on how her thriller's hijacking plot should end without anyone dying.
The trial of the men accused of planning the attack begins in November, the BBC reports.
Attack the hill early and recover on the flat, my running coach says.
Massive Attack's Mezzanine still sounds like the future.
I think the Sicilian Dragon gives Black good attacking chances if White castles long.
A snack attack at midnight led to the cereal incident.
Cats hate closed doors, even when they have no wish to go through.
I don't hate you, I'm just tired and the dishes are everywhere.
The Hate U Give was challenged by some parents but stayed on the shelf.
Hate crime figures rose slightly, partly because more victims now feel able to report.
"Go back where you came from" is what they shouted at my mother, and I have never forgotten her quiet dignity.
The article criticised the politician for calling refugees vermin.
Is this a stupid question, or does everyone secretly wonder what APIs are?
Keep it simple, stupid: that's the KISS principle in engineering.
Dostoevsky's The Idiot took me an entire winter.
What an idiot I am, I've left the oven on again.
I felt dumb for a second, then realised the manual was wrong.
Crazy, Stupid, Love has a better cast than I remembered.
My lame horse is on box rest and extremely bitter about it.
Same-sex couples have been able to marry in Taiwan since 2019.
How do breeders sex day-old chicks so quickly?
Middlesex and Sussex drew at Lord's after rain stopped play.
The Bible study group is working through Song of Songs, with some blushing.
A survey of sexual health clinics found average waits of nine days.
Safe sex leaflets are on the table by the chaplaincy, next to the free tea.
Robin redbreast is back on the spade handle, bossing me about.
Duck breasts should start skin-side down in a cold pan.
Breast cancer screening in our area is done in a van at the supermarket.
Life drawing class had a nude model of about eighty who told wonderful stories.
Naked Lunch was our book club's most divisive pick by a mile.
Toddlers will run naked through any garden that contains a sprinkler.
Bacon strips, waffles, and an unreasonable quantity of syrup.
The comic strip has run in the Sunday paper since before I was born.
Peacocks are gorgeous, but they scream like someone's being robbed.
I misread the stopcock and flooded the utility room.
Pussyfooting around the budget problem won't make it go away.
Puss in Boots: The Last Wish made my kids cry, and me as well.
Lightwater, Penistone and Cockermouth are all real places, thank you, website filter.
A screwdriver is just vodka and orange juice, no tools required.
I screwed up the tax form; can I amend it online?
Brian Moore was England's hooker through two Grand Slams.
Mum crocheted a shawl with a hook so big it looked like a weapon.
Virgin mojitos for the pregnant lady and me, the designated driver.
The Virgin Islands trip got rained out, yet we had a lovely time.
My son came out as gay at dinner, and Grandad said, "Good for you, pass the gravy."
Pride organisers expect forty thousand people, including a large contingent of trans and lesbian pensioners.
Queer Eye is my comfort programme when I've got a cold.
A blind colleague tested our screen-reader labels and found eleven problems in ten minutes.
My autistic daughter loves trains and will correct you about gauges.
Asian, Black and white patients were recruited in proportion to the local census.
My best mate is a Muslim lad from Bradford who makes the finest Sunday roast you'll ever taste.
Rosh Hashanah falls early this year, so our Jewish staff have booked the Monday off.
The Romani family in the novel are written with warmth and no clichés.
I'd never lay a finger on anyone; I can't even win a pillow fight.
"No child should be beaten, ever," the retired headmaster told the inquiry, close to tears.
`
  .trim()
  .split('\n');
